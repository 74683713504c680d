// What a run of tests leaves out, and says so, where its time is over before they begin (TESTS_UNTIL, milliseconds since 1970):
// suites that are run with another storage, queue or PostgreSQL once more, those that stop and kill hosts and servers, those
// that fill large tables, and whole backups and clients.
const AGAIN = new Set(['s3', 'redis', 'postgres15']);
const LATER =
  /\/(?:faults|backup|generate|docker)\/|killed|run-lost|-restarted|redis-lost|outage|replicas|crowd|behind-a-proxy|at-scale|exactness|under-load|job-cost/;

exports.canWait = (project, path) => AGAIN.has(project) || LATER.test(path.slice(path.lastIndexOf('/test/')));

exports.isOver = () => Date.now() > Number(process.env.TESTS_UNTIL ?? Infinity);
