// What a run of tests leaves out, and says so, where its time is over before they begin (TESTS_UNTIL, milliseconds since 1970):
// suites that are run with another storage, queue or PostgreSQL once more, and those that kill hosts or fill large tables.
const AGAIN = new Set(['s3', 'redis', 'postgres15']);
const LATER = /\/faults\/|killed|run-lost|at-scale|exactness|under-load/;

exports.canWait = (project, path) => AGAIN.has(project) || LATER.test(path);

exports.isOver = () => Date.now() > Number(process.env.TESTS_UNTIL ?? Infinity);
