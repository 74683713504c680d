// The image has no curl. Is the host in this container ready? A worker (`worker`) answers on a port of its own.
const port = process.argv[2] === 'worker' ? (process.env.WORKER_PORT ?? 9464) : (process.env.PORT ?? 3000);
fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2_500) }).then(
  (response) => process.exit(response.ok ? 0 : 1),
  () => process.exit(1),
);
