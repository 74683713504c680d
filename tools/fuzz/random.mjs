// Chance that can be repeated: the same seed and number give the same request.

/** A small generator (xorshift over 128 bits) with the choices a fuzzer makes. */
export class Chance {
  #state;

  constructor(seed, number) {
    this.#state = [seed ^ 0x9e3779b9, Math.imul(number + 1, 0x85ebca6b), seed + number, 0xc2b2ae35].map((word) => word >>> 0);
    for (let i = 0; i < 16; i++) this.word();
  }

  /** 32 bits. */
  word() {
    const [a, b, c, d] = this.#state;
    const mixed = (a ^ (a << 11)) >>> 0;
    const next = (d ^ (d >>> 19) ^ mixed ^ (mixed >>> 8)) >>> 0;
    this.#state = [b, c, d, next];
    return next;
  }

  /** From 0 up to, not including, `limit`. */
  below(limit) {
    return this.word() % limit;
  }

  /** True once in so many times. */
  oneIn(many) {
    return this.below(many) === 0;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  id() {
    const hex = () => this.word().toString(16).padStart(8, '0');
    const text = hex() + hex() + hex() + hex();
    return `${text.slice(0, 8)}-${text.slice(8, 12)}-7${text.slice(13, 16)}-8${text.slice(17, 20)}-${text.slice(20, 32)}`;
  }
}
