import { invalidFields, type FieldFault, type Problem } from '@atrium/platform/kernel';
import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { boundedTransformer, namesOf } from './body-bounds';
import { nearestName } from './nearest-name';
import { gatherRulesOnce } from './validation-rules';

const MAX_FAULTS = 50;

/** Input becomes a typed class or one problem with an entry for each fault; unknown names are faults. */
export function createValidationPipe(): ValidationPipe {
  gatherRulesOnce();
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    // For the names that are known there; its values are not used.
    validationError: { target: true },
    transformerPackage: boundedTransformer,
    exceptionFactory: (errors): Problem => invalidFields(flatten(errors).slice(0, MAX_FAULTS)),
  });
}

function flatten(errors: readonly ValidationError[], prefix = ''): FieldFault[] {
  return errors.flatMap((error) => {
    // An item of a list is named as everywhere else: `fields[0].name`.
    const path = prefix !== '' && /^\d+$/.test(error.property) ? `${prefix.slice(0, -1)}[${error.property}]` : `${prefix}${error.property}`;
    const inner = error.children?.length ? flatten(error.children, `${path}.`) : [];
    const own = Object.entries(error.constraints ?? {})
      .slice(0, 1)
      .map(([constraint, text]) => faultFrom(path, error, { constraint, text }));
    return [...own, ...inner];
  });
}

function faultFrom(
  path: string,
  { target, property, value }: ValidationError,
  { constraint, text }: { readonly constraint: string; readonly text: string },
): FieldFault {
  if (constraint === 'whitelistValidation') return unknownField(path, property, target ? namesOf(target.constructor) : []);
  if (value === undefined) return { path, code: 'required', message: 'is missing' };
  const bar = text.indexOf('|');
  return bar > 0 ? { path, code: text.slice(0, bar), message: text.slice(bar + 1) } : { path, code: 'invalid', message: text };
}

/** The fault of an unknown name, with the known name that was probably meant. */
export function unknownField(path: string, name: string, known: Iterable<string>): FieldFault {
  const meant = nearestName(name, known);
  return { path, code: 'unknown_field', message: meant === undefined ? 'is unknown' : `is unknown; did you mean ${meant}?` };
}
