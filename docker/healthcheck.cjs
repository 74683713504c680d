// The image has no curl: is this API ready?
fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/health/ready`, { signal: AbortSignal.timeout(2_500) }).then(
  (response) => process.exit(response.ok ? 0 : 1),
  () => process.exit(1),
);
