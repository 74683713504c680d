// In which order test files begin: those that kill, restart, fill or build something come early, one after every few others,
// however short their text is. Where jest knows no times, as in a fresh clone, it goes by the size of the files, and one of
// these would begin last and run alone; all of them at once would wait beside one another. What can wait comes last of all.
const Sequencer = require('@jest/test-sequencer').default;
const { canWait } = require('./what-can-wait.cjs');

const LONG =
  /\/(faults|start|generate|openapi)\/|killed|at-scale|exactness|reading|storage\.|cli\.|messaging|object-store|inspector|\/fuzz\/|words-of|archives-of|-beside/;
const OTHERS_BETWEEN = 3;

module.exports = class LongOnesEarly extends Sequencer {
  sort(tests) {
    const usual = super.sort(tests);
    const isLong = ({ path }) => LONG.test(path);
    const waits = ({ path, context }) => canWait(context.config.displayName?.name, path);
    const soon = usual.filter((test) => !waits(test));
    const [long, others] = [soon.filter(isLong), soon.filter((test) => !isLong(test))];
    return [...long.flatMap((test) => [test, ...others.splice(0, OTHERS_BETWEEN)]), ...others, ...usual.filter(waits)];
  }
};
