// Where a process was while its event loop was held longest, by samples of its stack.
const { Session } = require('node:inspector');

const SAMPLED_EVERY_MICROSECONDS = 2_000;
const IDLE = '(idle)';
/** What the meter itself does is no work of the process. */
const METER = __dirname;
const NATIVE = /^\((?:root|program|garbage collector)\)$/;
const MOST_SHOWN = 12;

/** Samples from now on until it is asked. */
class HeldBy {
  #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.setSamplingInterval', { interval: SAMPLED_EVERY_MICROSECONDS });
    this.#session.post('Profiler.start');
  }

  /**
   * The functions that were on the stack most of the time from one microsecond to another, the outermost first:
   * `['94% read (json-source.js:57)', …]`; where it was not sampled then, those of the longest time without a break.
   */
  end(at) {
    let functions = [];
    this.#session.post('Profiler.stop', (_, { profile }) => (functions = heldBy(profile, at)));
    this.#session.disconnect();
    return functions;
  }
}

function heldBy({ nodes, samples, timeDeltas, startTime }, [from, to] = [0, 0]) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const spent = new Map();
  const isMeter = (id) => id !== undefined && (byId.get(id).callFrame.url.includes(METER) || isMeter(parents.get(id)));
  let time = startTime;
  const within = timeDeltas.flatMap((delta, at) => ((time += delta) >= from && time <= to ? [at] : []));
  const stretch =
    within.length > 0 ? within : longestStretch(samples, timeDeltas, (id) => byId.get(id).callFrame.functionName === IDLE || isMeter(id));
  let whole = 0;
  for (const at of stretch) {
    whole += timeDeltas[at];
    const names = new Set();
    for (let id = samples[at]; id !== undefined; id = parents.get(id)) names.add(nameOf(byId.get(id).callFrame));
    for (const name of names) spent.set(name, (spent.get(name) ?? 0) + timeDeltas[at]);
  }
  return [...spent]
    .filter(([name, time]) => name !== '(root)' && time > whole / 10)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_SHOWN)
    .map(([name, time]) => `${Math.round((time / whole) * 100)}% ${name}`);
}

/** The samples without a break between them that took longest. */
function longestStretch(samples, timeDeltas, isBreak) {
  let [best, bestTime, current, time] = [[], 0, [], 0];
  samples.forEach((id, at) => {
    if (isBreak(id)) [current, time] = [[], 0];
    else {
      current.push(at);
      time += timeDeltas[at];
      if (time > bestTime) [best, bestTime] = [current, time];
    }
  });
  return best;
}

function nameOf({ functionName, url, lineNumber }) {
  if (NATIVE.test(functionName)) return functionName;
  return `${functionName || '(anonymous)'} (${url.split('/').slice(-2).join('/')}:${lineNumber + 1})`;
}

module.exports = { HeldBy };
