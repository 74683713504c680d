// What `npm test -- …` was asked for.

const STEPS = ['types', 'lint', 'edges', 'docs', 'scripts', 'lockfile', 'unit', 'e2e', 's3', 'redis', 'postgres15'];

/**
 * Without arguments everything. A step's name selects that step; anything else is a pattern for test files, and then
 * only unit and end-to-end tests run unless steps are named too. `deep` adds what is repeated, and forgives no file that passes
 * at the second attempt only; `durations` keeps how long files took; `reach`, with a revision or without, comes alone.
 */
export function selection(args) {
  if (args[0] === 'reach') return { ...selection([]), whole: false, reach: { since: args[1] ?? null } };
  const asked = args.filter((arg) => arg !== 'deep' && arg !== 'durations');
  const named = asked.filter((arg) => STEPS.includes(arg));
  const patterns = asked.filter((arg) => !STEPS.includes(arg));
  const steps = named.length > 0 ? named : patterns.length > 0 ? ['unit', 'e2e'] : STEPS;
  return {
    patterns,
    wants: (step) => steps.includes(step),
    whole: asked.length === 0,
    isDeep: args.includes('deep'),
    keepsDurations: args.includes('durations'),
    reach: null,
  };
}
