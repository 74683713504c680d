const isDeep = process.env.TESTS_DEEP === '1';

/**
 * How often something is repeated, or how many of something there are: as many as the rule needs in a usual run, and more in
 * `npm test -- deep`. The variable of the name says another number.
 */
export const repeated = (name: string, { usual, deep }: { readonly usual: number; readonly deep: number }): number =>
  Number(process.env[name] ?? (isDeep ? deep : usual));
