import { invalidFields, isObject, MOST_FAULTS, Problem, type FieldFault } from '@atrium/platform/kernel';
import { ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import type { ValidationError, ValidatorOptions } from 'class-validator';
import { knownNamesTransformer, knownPart, unknownNames } from './body-bounds';
import { leftToValidate } from './entries';
import { gatherRulesOnce } from './validation-rules';

/**
 * Input becomes a typed class or one problem with an entry for each fault; unknown names are faults. They are looked for before
 * anything is transformed, and neither class-transformer nor class-validator ever sees them.
 */
class InputPipe extends ValidationPipe {
  /** Read from JSON, which has no gaps in its lists, by an intake that refuses names that reach a prototype (`BodyIntake`). */
  private readonly bodies = new WeakSet<object>();

  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      stopAtFirstError: true,
      transformerPackage: knownNamesTransformer,
      exceptionFactory: (errors): Problem => invalidFields(firstFaults(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const type = metadata.metatype;
    if (!type || !this.toValidate(metadata)) return super.transform(value, metadata);
    if (Array.isArray(value)) throw new Problem('validation_failed', 'The body must be a JSON object.');
    const unknown = isObject(value) ? unknownNames(type, value) : [];
    if (unknown.length === 0) return super.transform(this.noted(value, metadata), metadata);
    const others = await super.transform(this.noted(knownPart(type, value), metadata), metadata).then(() => [], faultsOf);
    throw invalidFields([...unknown, ...others].slice(0, MOST_FAULTS));
  }

  /** A body has nothing of the kind, and to look through all of it takes longer than to read it. */
  protected override closeArrayGaps(value: unknown): void {
    if (!this.isBody(value)) super.closeArrayGaps(value);
  }

  protected override stripProtoKeys(value: unknown): void {
    if (!this.isBody(value)) super.stripProtoKeys(value);
  }

  protected override validate(input: object, options?: ValidatorOptions): Promise<ValidationError[]> | ValidationError[] {
    return super.validate(leftToValidate(input), options);
  }

  /** What comes in JSON, a path or a query has no bytes in it. */
  protected override findNestedBinaryValues(): ValidationError[] {
    return [];
  }

  private noted(value: unknown, { type }: ArgumentMetadata): unknown {
    if (type === 'body' && typeof value === 'object' && value !== null) this.bodies.add(value);
    return value;
  }

  private isBody(value: unknown): boolean {
    return typeof value === 'object' && value !== null && this.bodies.has(value);
  }
}

export const createValidationPipe = (): ValidationPipe => {
  gatherRulesOnce();
  return new InputPipe();
};

function faultsOf(error: unknown): readonly FieldFault[] {
  if (error instanceof Problem && error.errors) return error.errors;
  throw error;
}

function firstFaults(errors: readonly ValidationError[]): FieldFault[] {
  const first: FieldFault[] = [];
  for (const fault of flatten(errors)) if (first.push(fault) === MOST_FAULTS) break;
  return first;
}

function* flatten(errors: readonly ValidationError[], prefix = ''): Generator<FieldFault> {
  for (const error of errors) {
    // An item of a list is named as everywhere else: `fields[0].name`.
    const path = prefix !== '' && /^\d+$/.test(error.property) ? `${prefix.slice(0, -1)}[${error.property}]` : `${prefix}${error.property}`;
    for (const text of Object.values(error.constraints ?? {}).slice(0, 1)) yield faultFrom(path, error.value, text);
    if (error.children?.length) yield* flatten(error.children, `${path}.`);
  }
}

function faultFrom(path: string, value: unknown, text: string): FieldFault {
  if (value === undefined) return { path, code: 'required', message: 'is missing' };
  const bar = text.indexOf('|');
  return bar > 0 ? { path, code: text.slice(0, bar), message: text.slice(bar + 1) } : { path, code: 'invalid', message: text };
}
