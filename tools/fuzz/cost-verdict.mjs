// Judges what a request has cost its process, and what jobs have.

/** What one request may take of the processor, and how much memory it may leave behind while it is answered. */
export const BOUNDS = { processor_ms: 50, memory: 20 * 1024 * 1024 };
/** How long one turn of a worker's event loop may take of the processor, and how much memory may be in use besides what was before. */
export const JOB_BOUNDS = { turn_ms: 100, memory: 160 * 1024 * 1024 };
/** How often a request that was over is asked again: the first ones meet code that is not compiled yet, and any may meet a collection of garbage. */
const WARMING = 1;
const REPEATS = 7;

/** The bounds of a case whose request has a body of so many bytes: its own where a reason is named. */
export function boundsOf({ operation, place, shape, bytes = 0 }, exceptions, usual = BOUNDS) {
  const exception = exceptions.find(
    (each) =>
      (!each.operations || each.operations.test(operation)) &&
      (!each.places || each.places.test(place)) &&
      bytes > (each.bodiesOver ?? -1) &&
      (!each.shapes || each.shapes.includes(shape)),
  );
  return { ...usual, ...exception?.bounds };
}

/**
 * Measures until the case is known to be within its bounds: `measure(attempt, fromCleanHeap)` answers what one attempt took.
 * The heap is cleaned before only where memory is in question, for that lets the process forget compiled code as well. What the
 * machine does beside adds to a measure and takes nothing from it, so the least of several is the truth.
 */
export async function verdictOf(measure, bounds, { warming = WARMING, repeats = REPEATS } = {}) {
  const first = await measure(0, false);
  if (isWithin(first, bounds)) return { isOver: false, least: first };
  const fromCleanHeap = first.memory > bounds.memory;
  const again = [];
  for (let attempt = 1; attempt <= warming + repeats; attempt++) {
    const taken = await measure(attempt, fromCleanHeap);
    if (attempt > warming) again.push(taken);
    if (isWithin(taken, bounds)) return { isOver: false, least: taken };
  }
  const least = Object.fromEntries(Object.keys(bounds).map((name) => [name, Math.min(...again.map((taken) => taken[name]))]));
  return { isOver: !isWithin(least, bounds), least };
}

export const isWithin = (taken, bounds) => Object.entries(bounds).every(([name, most]) => taken[name] <= most);
