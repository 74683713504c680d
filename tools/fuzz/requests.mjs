// From an operation of the document and a number to one request.
import { mutate } from './mutations.mjs';

const PARAMETER = /\{(\w+)\}/g;
/** Ids in paths are all called `id`: what they name is guessed from the first word of the path. */
const PATH_IDS = { files: 'file_id', albums: 'album_id', uploads: 'upl_id', 'download-jobs': 'job_id', versions: 'fv_id' };

export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
      const described = query.find((parameter) => parameter.name === 'sort')?.description ?? '';
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operation,
        query,
        sorts: [...described.matchAll(/`(\w+)`/g)].map(([, name]) => name),
      };
    }),
  );
}

/** A request that is right or nearly so, then mutated. */
export function makeRequest(target, sampler, { name, method, path, operation, query, sorts }, chance) {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const request = {
    operation: name,
    method,
    path: path.replace(PARAMETER, (_, parameter) => sampler.harvest.id(pathId(path, parameter), chance)),
    query: query
      .filter((parameter) => parameter.required || chance.oneIn(5))
      .map((parameter) => [parameter.name, String(sampler.value(parameter.schema, parameter.name, chance))]),
    headers: { 'X-Api-Key': target.api_key, 'X-Tenant-Id': target.tenant_id },
    body: schema ? sampler.value(schema, '', chance) : undefined,
    parameters: query.map((parameter) => parameter.name),
    sorts,
  };
  return mutate(request, chance);
}

function pathId(path, parameter) {
  if (parameter === 'version_id') return 'fv_id';
  return PATH_IDS[path.split('/')[3]] ?? parameter;
}

/** What goes over the wire: path with query, headers, bytes. */
export function onTheWire(request) {
  const search =
    request.search ??
    (request.query.length === 0
      ? ''
      : `?${request.query.map(([name, value]) => `${encodeLoosely(name)}=${encodeLoosely(value)}`).join('&')}`);
  const json = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const bytes = json === undefined ? undefined : Buffer.isBuffer(json) ? json : Buffer.from(json, 'utf8');
  return {
    method: request.method,
    path: `${request.path}${search}`.slice(0, 15_000),
    headers: { ...(bytes ? { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) } : {}), ...request.headers },
    bytes,
  };
}

/** Lone surrogates have no UTF-8; their bytes are sent as a sloppy encoder would. */
function encodeLoosely(text) {
  const short = text.slice(0, 4_000);
  return short.isWellFormed()
    ? encodeURIComponent(short)
    : [...short].map((character) => (character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80')).join('');
}

/** The request for a report: a curl line, its body cut when it is long. */
export function asCurl(origin, request) {
  const { method, path, headers, bytes } = onTheWire(request);
  const head = Object.entries(headers).flatMap(([name, value]) =>
    [value]
      .flat()
      .map(
        (each) =>
          `-H '${`${name}: ${name === 'X-Api-Key' && String(each).length > 40 ? '$ATRIUM_KEY' : each}`.slice(0, 300).replaceAll("'", "'\\''")}'`,
      ),
  );
  const text = bytes?.toString('utf8') ?? '';
  const data = bytes
    ? ` --data-binary '${text.slice(0, 600).replaceAll("'", "'\\''")}'${text.length > 600 ? `   # … ${bytes.length} bytes` : ''}`
    : '';
  return `curl -g -X ${method} '${origin}${path.slice(0, 600).replaceAll("'", '%27')}${path.length > 600 ? '…' : ''}' ${head.slice(0, 12).join(' ')}${data}`;
}
