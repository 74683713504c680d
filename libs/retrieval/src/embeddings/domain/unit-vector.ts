/** Dimensions of one piece: what the database compares at once. */
const PIECE = 96;

/** Signs of random projections kept of a vector. */
const SIGNS = 512;

const signTables = new Map<number, Int8Array>();

/** The vector with length 1; one without direction stays as it is. */
export function unitVector(vector: readonly number[] | Float64Array): number[] {
  const length = Math.hypot(...vector);
  return Array.from(vector, (value) => (length > 0 ? value / length : value));
}

/** Whether the vector points anywhere: that of a text without words does not. */
export const hasDirection = (vector: readonly number[]): boolean => vector.some((value) => value !== 0);

/** The vector in pieces, as texts of the database's `cube`: distances of the pieces, squared, add up to that of the whole. */
export function piecesOf(vector: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < vector.length; at += PIECE)
    pieces.push(
      `(${vector
        .slice(at, at + PIECE)
        .map((value) => value.toFixed(6))
        .join(',')})`,
    );
  return pieces;
}

/** On which side of 512 planes the vector is, as bits: vectors with a small angle differ in few. The planes are the same on every machine. */
export function signatureOf(vector: readonly number[]): string {
  const signs = signsFor(vector.length);
  let bits = '';
  for (let plane = 0; plane < SIGNS; plane++) {
    let side = 0;
    for (let at = 0, sign = plane * vector.length; at < vector.length; at++, sign++) side += (signs[sign] ?? 0) * (vector[at] ?? 0);
    bits += side >= 0 ? '1' : '0';
  }
  return bits;
}

function signsFor(dims: number): Int8Array {
  const known = signTables.get(dims);
  if (known) return known;
  const table = new Int8Array(SIGNS * dims);
  const next = seededNumbers(0x41747269 ^ dims);
  for (let at = 0; at < table.length; at++) table[at] = next() & 0x8000 ? 1 : -1;
  signTables.set(dims, table);
  return table;
}

/** Numbers of 32 bits that are the same for the same seed everywhere. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}
