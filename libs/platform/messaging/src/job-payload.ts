import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import type { JobDefinition } from './job-definition';

/** A payload that violates its job's contract: a programming error where it is enqueued, a permanent failure where it is run. */
export class InvalidPayload extends Error {
  constructor(job: string, faults: readonly string[]) {
    super(`The payload of ${job} is not valid: ${faults.join('; ')}.`);
    this.name = 'InvalidPayload';
  }
}

/** The payload as an instance of its class, or `InvalidPayload` naming each fault. Undeclared fields are faults too. */
export function checkedPayload<P extends object>(definition: JobDefinition<P>, payload: object): P {
  const instance = plainToInstance(definition.payload, payload);
  if (Object.keys(payload).length === 0 && Object.keys(instance).length === 0 && definition.payload === (NoPayload as unknown))
    return instance;
  const faults = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true });
  if (faults.length > 0)
    throw new InvalidPayload(
      definition.name,
      faults.flatMap((fault) => sentences(fault)),
    );
  return instance;
}

/** The payload of a job that needs none. */
export class NoPayload {}

function sentences(fault: ValidationError, path = ''): string[] {
  const here = path ? `${path}.${fault.property}` : fault.property;
  const own = Object.values(fault.constraints ?? {}).map((message) => `${here}: ${message}`);
  return [...own, ...(fault.children ?? []).flatMap((child) => sentences(child, here))];
}
