/** An unsigned varint: 7 bits a byte, low bits first. @param value a safe integer of at most 2^35 - 1 */
export function uvarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** Reads what a stranger wrote, and throws when it isn't there or out of range. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.position >= this.#bytes.byteLength;
  }

  byte(): number {
    const value = this.#bytes[this.position];
    if (value === undefined) throw new Error('a message ends too early');
    this.position += 1;
    return value;
  }

  take(length: number): Uint8Array {
    const end = this.position + length;
    if (end > this.#bytes.byteLength) throw new Error('a message ends too early');
    const part = this.#bytes.subarray(this.position, end);
    this.position = end;
    return part;
  }

  uvarint(max: number): number {
    const value = this.tryUvarint(max);
    if (value === undefined) throw new Error('a message ends too early');
    return value;
  }

  /** `undefined` when the bytes end before the number does. */
  tryUvarint(max: number): number | undefined {
    let value = 0;
    for (let scale = 1, at = this.position; ; scale *= 0x80, at += 1) {
      const byte = this.#bytes[at];
      if (byte === undefined) return undefined;
      value += (byte & 0x7f) * scale;
      if (value > max || scale > max) throw new Error(`a number in a message is over its limit of ${max}`);
      if (byte < 0x80) {
        this.position = at + 1;
        return value;
      }
    }
  }
}
