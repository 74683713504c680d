// The whole client: one function over fetch that names key and workspace, and turns problems into errors.

import { setTimeout as pause } from 'node:timers/promises';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** An answer that is a problem: its sentence, and its code to branch on. */
export class ApiError extends Error {
  constructor(method, path, problem) {
    const faults = (problem.errors ?? []).map((fault) => `\n  ${fault.path}: ${fault.message}`).join('');
    super(`${method} ${path}: ${problem.status} ${problem.code}: ${problem.detail}${faults} [request ${problem.request_id}]`);
    this.code = problem.code;
    this.status = problem.status;
    /** What went wrong with what was sent, without where it was sent. */
    this.sentence = [problem.detail, ...(problem.errors ?? []).map((fault) => `${fault.path} ${fault.message}`)].join(' ');
  }
}

/** Calls the API as one key in one workspace, and remembers one call of each kind as a curl line. */
export class ApiClient {
  #target;
  #curls = new Map();

  constructor(target) {
    this.#target = target;
  }

  get(path) {
    return this.#call('GET', path);
  }

  post(path, body = {}) {
    return this.#call('POST', path, body);
  }

  /** An answer that arrives as events; with the id of the last one it goes on behind that. Throws `ApiError` where it is refused. */
  async stream(path, last_event_id) {
    const { base_url, api_key, tenant_id } = this.#target;
    this.note(`STREAM ${kindOf(path)}`, curlLine('GET', base_url + path).replace('curl', 'curl -N'));
    const response = await patiently(base_url + path, {
      headers: { 'X-Api-Key': api_key, 'X-Tenant-Id': tenant_id, ...(last_event_id ? { 'Last-Event-ID': last_event_id } : {}) },
    });
    if (!response.ok) throw await refusal('GET', path, response);
    return response;
  }

  /** Who the key belongs to; says what to do when the service does not respond. */
  async introduce() {
    const { base_url } = this.#target;
    try {
      const { user, workspace } = await this.get('/me');
      return { me_name: user.user_name, ws_name: workspace.ws_name };
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new Error(`There is no response from ${base_url}. Start Atrium first: npm start`, { cause: error });
    }
  }

  /** Adds a line that is no call of the API, such as a PUT to storage. */
  note(kind, line) {
    if (!this.#curls.has(kind)) this.#curls.set(kind, line);
  }

  transcript() {
    return [...this.#curls.values()].join('\n');
  }

  async #call(method, path, body) {
    const { base_url, api_key, tenant_id } = this.#target;
    this.note(`${method} ${kindOf(path)}`, curlLine(method, base_url + path, body));
    const response = await patiently(base_url + path, {
      method,
      headers: { 'X-Api-Key': api_key, 'X-Tenant-Id': tenant_id, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw await refusal(method, path, response);
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  }
}

/** Calls are of one kind whatever ids they name. */
const kindOf = (path) => path.split('?')[0].replace(UUID, '{id}');

async function refusal(method, path, response) {
  const text = await response.text();
  const isProblem = response.headers.get('content-type')?.includes('json');
  return new ApiError(
    method,
    path,
    isProblem ? JSON.parse(text) : { status: response.status, code: 'unexpected', detail: text.slice(0, 200) },
  );
}

/** Waits as long as the service asks for when the caller's allowance is used up. */
async function patiently(url, request) {
  for (;;) {
    const response = await fetch(url, request);
    if (response.status !== 429) return response;
    await response.body?.cancel();
    await pause(Number(response.headers.get('retry-after') ?? 1) * 1000);
  }
}

function curlLine(method, url, body) {
  const head = `curl${method === 'GET' ? '' : ` -X ${method}`} -H "X-Api-Key: $ATRIUM_KEY" -H "X-Tenant-Id: $ATRIUM_TENANT"`;
  const data = body === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' -d ${quoted(shortened(JSON.stringify(body)))}`;
  return `${head} ${quoted(url)}${data}`;
}

/** A long list of ids is shown by its first ones. */
const shortened = (json) => json.replace(/(\[(?:"[^"]*",){3})(?:"[^"]*",?)+\]/g, (_, first) => `${first.slice(0, -1)}]`);

export const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
