/**
 * The inspecting process, but what names a file in its first bytes (`held until /path`) is not answered before that file is
 * there: for tests of what goes on meanwhile.
 */
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const listeners = [];
const on = process.on.bind(process);
process.on = (event, listener) => (event === 'message' ? (listeners.push(listener), process) : on(event, listener));
require(join(__dirname, '../../dist/libs/files/src/inspection/infrastructure/inspection-process.js'));

on('message', (request) => {
  const [, until] = /held until (\S+)/.exec(readFileSync(request.task.path).subarray(0, 1000).toString('latin1')) ?? [];
  const answer = () =>
    until === undefined || existsSync(until) ? listeners.forEach((listener) => listener(request)) : setTimeout(answer, 10);
  answer();
});
