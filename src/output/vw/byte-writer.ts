/** Bytes that grow at their end. */
export class ByteWriter {
  bytes = new Uint8Array(1 << 12);
  length = 0;

  /** Makes room for so many more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  /** Appends one byte. */
  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Appends a span. */
  span(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const target = this.bytes;
    let at = this.length;
    // Cells and names are short: a loop beats set(subarray()) up to some fifty bytes.
    if (end - start < 48) for (let i = start; i < end; i++) target[at++] = source[i];
    else {
      target.set(source.subarray(start, end), at);
      at += end - start;
    }
    this.length = at;
  }

  /** Appends ASCII text. */
  ascii(text: string): void {
    this.reserve(text.length);
    for (let i = 0; i < text.length; i++) this.bytes[this.length++] = text.charCodeAt(i);
  }
}
