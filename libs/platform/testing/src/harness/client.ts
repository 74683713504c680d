import request, { type Test } from 'supertest';

/** A caller of the API: its credential and workspace go with every request. */
export class Client {
  constructor(
    private readonly origin: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  get(path: string): Test {
    return this.send('get', path);
  }

  post(path: string, body: object = {}): Test {
    return this.send('post', path).send(body);
  }

  put(path: string, body: object = {}): Test {
    return this.send('put', path).send(body);
  }

  patch(path: string, body: object = {}): Test {
    return this.send('patch', path).send(body);
  }

  delete(path: string, body?: object): Test {
    const test = this.send('delete', path);
    return body === undefined ? test : test.send(body);
  }

  /** The same caller with other headers besides. */
  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.origin, { ...this.headers, ...headers });
  }

  /** The same caller without some headers. */
  without(...names: readonly string[]): Client {
    return new Client(this.origin, Object.fromEntries(Object.entries(this.headers).filter(([name]) => !names.includes(name))));
  }

  private send(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string): Test {
    return request(this.origin)[method](`/api/v1${path}`).set(this.headers);
  }
}
