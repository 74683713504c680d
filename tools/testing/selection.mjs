// What `npm test -- …` was asked for.

const STEPS = ['types', 'lint', 'edges', 'docs', 'scripts', 'lockfile', 'unit', 'e2e', 's3', 'redis', 'postgres15'];

/**
 * Without arguments everything. A step's name selects that step; anything else is a pattern for test files, and then
 * only unit and end-to-end tests run unless steps are named too.
 */
export function selection(args) {
  const named = args.filter((arg) => STEPS.includes(arg));
  const patterns = args.filter((arg) => !STEPS.includes(arg));
  const steps = named.length > 0 ? named : patterns.length > 0 ? ['unit', 'e2e'] : STEPS;
  return { patterns, wants: (step) => steps.includes(step), whole: args.length === 0 };
}
