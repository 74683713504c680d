// Requests that may take more than others, each with its reason and its own bound. The first that fits counts.

const MIB = 1024 * 1024;

/** `{ operations?, places?, shapes?, bodiesOver?, bounds, why }`; `bodiesOver` compares the bytes that the route takes. */
export const EXCEPTIONS = [
  {
    operations: /^PUT \/api\/v1\/files\/\{id\}\/content$/,
    bounds: { processor_ms: 800, memory: 48 * MIB },
    why: 'takes a text of 2 MB, which may be written in 10 MB of JSON: it is received, decoded, checked for characters that cannot be stored, and counted',
  },
  {
    operations: /^POST \/api\/v1\/uploads\/check$/,
    bounds: { processor_ms: 400, memory: 32 * MIB },
    why: 'asks for as many as 1,000 files at once: each entry is validated by itself',
  },
  {
    bodiesOver: 5 * MIB,
    bounds: { processor_ms: 600, memory: 64 * MIB },
    why: 'to receive and parse ten megabytes takes as many as 40 ms each where every character is escaped, and several times their size',
  },
  {
    bodiesOver: MIB,
    bounds: { processor_ms: 250, memory: 32 * MIB },
    why: 'to receive and parse some megabytes takes as many as 40 ms each where every character is escaped, and several times their size',
  },
];
