import { CsvError } from "../errors.js";

/**
 * A package that only whoever uses its sink has to install.
 *
 * @throws CsvError MISSING_PACKAGE.
 */
export async function optionalPackage<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const error = new CsvError(
      "MISSING_PACKAGE",
      `the package ${name} can't be loaded`,
      {},
      `Install it: npm install ${name}.`,
    );
    error.cause = cause;
    throw error;
  }
}
