// A closed loop of callers on kept-alive connections; answers requests per second of the whole span.
import autocannon from 'autocannon';

/** `next()` makes one request `{method, path, headers, body}`; every answer must be a 2xx. */
export async function load(origin, next, { connections, seconds }) {
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${origin}: ${result.non2xx} answers were no success, ${result.errors} requests failed.`);
  return result.requests.total / result.duration;
}
