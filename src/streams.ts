import * as ponyfill from "web-streams-polyfill";

/** The stream classes of the runtime or, where it has none, of the ponyfill; nothing global is changed. */
export const ReadableStreamClass: typeof ReadableStream =
  globalThis.ReadableStream ?? (ponyfill.ReadableStream as unknown as typeof ReadableStream);
export const WritableStreamClass: typeof WritableStream =
  globalThis.WritableStream ?? (ponyfill.WritableStream as unknown as typeof WritableStream);
export const TransformStreamClass: typeof TransformStream =
  globalThis.TransformStream ?? (ponyfill.TransformStream as unknown as typeof TransformStream);
