import 'reflect-metadata';
import { Policy, self } from '@atrium/platform/access';
import { loadSettings } from '@atrium/platform/config';
import type { Problem } from '@atrium/platform/kernel';
import { Body, Post } from '@nestjs/common';
import type { Request } from 'express';
import { PassThrough } from 'node:stream';
import { BodyIntake } from './body-intake';
import { Rows } from './rows';
import { createValidationPipe } from './validation.pipe';

class Table {
  @Rows({ rows: 3, columns: 4, bytes: 100, about: 'Rows.', example: [{ a: 1 }] }) rows?: object[];
}

class Tables {
  @Post() @Policy(self) add(@Body() _: Table): void {}
}

const intake = new BodyIntake(
  loadSettings({ DATABASE_URL: 'postgres://x@127.0.0.1/x', MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }),
);
const pipe = createValidationPipe();

/** A body as it comes over the network. */
async function parsed(json: string | Buffer): Promise<object> {
  const request = Object.assign(new PassThrough(), { headers: {}, ip: '192.0.2.1', is: (types: unknown) => Array.isArray(types) });
  const read = intake.readBody(request as unknown as Request, Tables, Tables.prototype.add);
  request.end(json);
  await read;
  return (request as unknown as Request).body as object;
}

const check = (body: object): Promise<unknown> => pipe.transform(body, { type: 'body', metatype: Table }) as Promise<unknown>;
const faults = (body: object): Promise<unknown> =>
  check(body).then(
    () => [],
    (problem: Problem) => problem.errors,
  );
const fault = (code: string, message: string) => [{ path: 'rows', code, message }];
const LONG = fault('too_long', 'must have rows of at most 100 bytes as JSON');
const WIDE = fault('too_many', 'must have rows of at most 4 columns');
const NO_LIST = fault('array', 'must be an array of objects');
const text = (length: number): string => `{"a":"${'x'.repeat(length - 8)}"}`;

describe('rows', () => {
  it.each<[string, unknown]>([
    ['{}', []],
    ['{"rows":[{},{"a":1},{"a":{"b":[1,2,3,4,5]}}]}', []],
    ['{"rows":[]}', fault('too_few', 'must have at least 1 item')],
    ['{"rows":[{},{},{},{}]}', fault('too_many', 'must have at most 3 items')],
    ['{"rows":null}', NO_LIST],
    ['{"rows":"x"}', NO_LIST],
    ['{"rows":[{},1]}', NO_LIST],
    ['{"rows":[{},null]}', NO_LIST],
    ['{"rows":[[1]]}', NO_LIST],
    ['{"rows":["abcd"]}', NO_LIST],
    ['{"rows":["abcde"]}', WIDE],
    ['{"rows":[[1,2,3,4,5]]}', WIDE],
    ['{"rows":[{"a":1,"b":2,"c":3,"d":4}]}', []],
    ['{"rows":[{"":1,"b":2,"c":3,"d":4,"e":5}]}', WIDE],
    [`{"rows":[{},${text(100)}]}`, []],
    [`{"rows":[{},${text(101)}]}`, LONG],
    [`{"rows":["${'x'.repeat(99)}"]}`, LONG],
    // Longer once they are written again, and shorter.
    ['{"rows":[{"a":[1e20,1e20,1e20,1e20]}]}', []],
    ['{"rows":[{"a":[1e20,1e20,1e20,1e20,1e20]}]}', LONG],
    [`{"rows":[{"a":"${String.raw`\u0061`.repeat(92)}"}]}`, []],
    [`{"rows":[ ${' '.repeat(200)} {"a": ${' '.repeat(200)} 1}]}`, []],
  ])('%s is judged by what was parsed, whether or not its bytes were measured', async (json, expected) => {
    expect(await faults(await parsed(json))).toEqual(expected);
    expect(await faults(JSON.parse(json) as object)).toEqual(expected);
  });

  it('of bytes that are no UTF-8 are as long as the characters in their place', async () => {
    const bytes = (count: number): Buffer =>
      Buffer.concat([Buffer.from('{"rows":[{"a":"'), Buffer.alloc(count, 0xff), Buffer.from('"}]}')]);
    expect(await faults(await parsed(bytes(30)))).toEqual([]);
    expect(await faults(await parsed(bytes(31)))).toEqual(LONG);
  });

  it('are not written to be measured where the bytes that came say that all fit', async () => {
    const stringify = jest.spyOn(JSON, 'stringify');
    await check(await parsed('{"rows":[{"a":1},{"b":[{}]}]}'));
    expect(stringify).not.toHaveBeenCalled();
    await check(await parsed(`{"rows":[{"a":1},${text(90)}]}`));
    expect(stringify).toHaveBeenCalledTimes(2);
    stringify.mockRestore();
  });
});
