// In which order test files begin: those first that kill, restart, fill or build something, however short their text is.
// Where jest knows no times, as in a fresh clone, it goes by the size of the files, and one of these would begin last and run alone.
const Sequencer = require('@jest/test-sequencer').default;

const LONG = /\/(faults|start|generate|openapi)\/|killed|at-scale|exactness|reading|storage\.|cli\.|messaging|object-store|inspector/;

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const usual = super.sort(tests);
    const isLong = ({ path }) => LONG.test(path);
    return [...usual.filter(isLong), ...usual.filter((test) => !isLong(test))];
  }
};
