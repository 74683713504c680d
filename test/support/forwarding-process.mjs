import { connect, createServer } from 'node:net';

/** Hands every connection on to a port of this machine; a process of its own, so that a signal can stop it. */
const port = Number(process.argv[2]);
const server = createServer((near) => {
  const far = connect(port, '127.0.0.1');
  near.pipe(far).pipe(near);
  for (const [one, other] of [
    [near, far],
    [far, near],
  ])
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
