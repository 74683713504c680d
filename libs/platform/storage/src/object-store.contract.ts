import { freshKey, type Backend, type Capabilities } from './contract/backend';
import { dataCases } from './contract/data';
import { downloadCases } from './contract/downloads';
import { multipartCases } from './contract/multipart';
import { uploadCases } from './contract/uploads';

export type { Backend, Capabilities } from './contract/backend';

const CASE_LIMIT_MS = 30_000;

/** What every object store must do; run over each backend, which names the few things it cannot do. */
export function objectStoreContract(name: string, able: Capabilities, start: () => Promise<Backend>): void {
  describe(`object store on ${name}`, () => {
    let running: Backend | undefined;
    const backend = (): Backend => {
      if (!running) throw new Error(`The backend ${name} did not start.`);
      return running;
    };
    jest.setTimeout(CASE_LIMIT_MS);
    beforeAll(async () => {
      running = await start();
    });
    afterAll(() => running?.stop());

    const contract = { able, backend, store: () => backend().store, key: freshKey };
    describe('signed uploads', () => uploadCases(contract));
    describe('signed downloads', () => downloadCases(contract));
    describe('multipart uploads', () => multipartCases(contract));
    describe('data', () => dataCases(contract));
  });
}

/** Shows an unavailable backend as skipped, with the reason. */
export function objectStoreSkipped(name: string, reason: string): void {
  describe(`object store on ${name}`, () => {
    it.skip(`is skipped: ${reason}`, () => undefined);
  });
}
