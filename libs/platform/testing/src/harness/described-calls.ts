import request, { type Test } from 'supertest';
import { assertDescribed } from './described-answers';

const ROOT = '/api/v1/';
const WATCHED = Symbol.for('atrium.test.described-calls');

/** From now on every answer of the API to a call of supertest is looked at, when nothing that the test itself expects of it has failed. */
export function watchCalls(): void {
  const calls = request.Test.prototype as Test & { [WATCHED]?: true };
  if (calls[WATCHED]) return;
  calls[WATCHED] = true;
  const end: (this: Test, done?: Parameters<Test['end']>[0]) => Test = Reflect.get(calls, 'end');
  calls.end = function (this: Test, done) {
    const { pathname } = new URL(this.url);
    if (pathname.startsWith(ROOT))
      this.expect(({ status, type, body }) => assertDescribed({ method: this.method.toLowerCase(), path: pathname, status, type, body }));
    return end.call(this, done);
  };
}
