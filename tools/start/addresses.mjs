// The port the API listens on.
import { connect } from 'node:net';
import { freePort } from '../postgres/cluster.mjs';

const TRIES = 20;

/** `wanted`, or the next one that is free: `{ port, taken }`. */
export async function choosePort(wanted, host) {
  for (let port = wanted; port < wanted + TRIES; port++) {
    if (await isFree(port, host)) return { port, taken: port !== wanted };
  }
  return { port: await freePort(0, host), taken: true };
}

/** Binding alone is not sufficient: on macOS a wildcard listener leaves the loopback address bindable. */
async function isFree(port, host) {
  if ((await freePort(port, host)) !== port) return false;
  const answered = await Promise.all(['127.0.0.1', '::1'].map((address) => answers(port, address)));
  return !answered.includes(true);
}

const answers = (port, address) =>
  new Promise((resolve) => {
    const socket = connect({ port, host: address, timeout: 500 });
    const end = (result) => () => (socket.destroy(), resolve(result));
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
