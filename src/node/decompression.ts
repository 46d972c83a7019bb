import { closeSync, openSync, readSync } from "node:fs";
import { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import * as zlib from "node:zlib";
import type { Chunk } from "../input/chunks.js";
import {
  type Compression,
  compressionOf,
  type DecompressionLimits,
  decompressed,
  type OpenDecompressor,
} from "../input/decompression.js";

/** Node's decompressors; zstd came with Node 22.15. */
const openNode: OpenDecompressor = (compression) => {
  const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Duplex };
  const open = { gzip: zlib.createGunzip, brotli: zlib.createBrotliDecompress, zstd: createZstdDecompress };
  const duplex = open[compression]?.();
  return duplex === undefined ? null : (Duplex.toWeb(duplex) as ReadableWritablePair<Uint8Array, Uint8Array>);
};

/** Bytes that suffice to tell a compression. */
const HEAD = 4;

/** Brotli has no mark of its own: a file's name says it. */
function compressionByName(path: string | URL): Compression | null {
  return String(path instanceof URL ? path.pathname : path).endsWith(".br") ? "brotli" : null;
}

/** Chunks of a file, decompressed where they are compressed. */
export function decompressedFile(
  path: string | URL,
  chunks: AsyncIterable<Chunk>,
  limits: DecompressionLimits,
): AsyncIterable<Chunk> {
  const open = () => decompressed(chunks[Symbol.asyncIterator](), limits, openNode, compressionByName(path));
  return { [Symbol.asyncIterator]: open };
}

/** How a file is compressed; null for not at all, and where it can't be read, which whoever reads it is told. */
export function compressionOfFile(path: string | URL): Compression | null {
  const named = compressionByName(path);
  if (named !== null) return named;
  const head = new Uint8Array(HEAD);
  try {
    const file = openSync(path instanceof URL ? fileURLToPath(path) : path, "r");
    try {
      const length = readSync(file, head, 0, HEAD, 0);
      return compressionOf(head.subarray(0, length)) ?? null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
