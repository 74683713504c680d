import { isObject } from '@atrium/platform/kernel';
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, ValidateBy, ValidateIf } from 'class-validator';

/** What a list of rows may have. */
interface RowBounds {
  readonly rows: number;
  readonly columns: number;
  /** Of the JSON of one row. */
  readonly bytes: number;
  readonly about: string;
  readonly example: readonly object[];
}

/** JSON that is read and written again has no more than so many times its bytes: `1e20` becomes 21 digits, a byte that is not UTF-8 a character of three. */
const MOST_GROWTH = 5;
/** `"":0,` */
const LEAST_OF_COLUMN = 5;

const largestRows = new WeakMap<object, number>();

/** Notes of a body, or of a list in it, how many bytes the largest row has at most, as `measureJson` found it. */
export function noteLargestRow(of: unknown, bytes: number | undefined): void {
  if (typeof of === 'object' && of !== null && bytes !== undefined) largestRows.set(of, bytes);
}

export const largestRowOf = (of: object): number | undefined => largestRows.get(of);

/** Rows by the names of their columns, in a field that a body can do without. */
export const Rows = ({ rows, columns, bytes, about, example }: RowBounds): PropertyDecorator =>
  applyDecorators(
    (target: object, name: string | symbol) =>
      ValidateIf((body: Record<string | symbol, unknown>) => body[name] !== undefined)(target, name),
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'object', additionalProperties: true, maxProperties: columns, 'x-max-bytes': bytes } as object,
      minItems: 1,
      maxItems: rows,
      description: about,
      example,
    }),
    // The first of these that fails names the fault.
    ofRows('rowBytes', `too_long|must have rows of at most ${bytes} bytes as JSON`, {
      isCertain: (largest) => largest * MOST_GROWTH <= bytes,
      fits: (row) => Buffer.byteLength(JSON.stringify(row) ?? '') <= bytes,
    }),
    ofRows('rowColumns', `too_many|must have rows of at most ${columns} columns`, {
      isCertain: (largest) => largest < LEAST_OF_COLUMN * (columns + 1),
      fits: (row) => Object.keys(row ?? {}).length <= columns,
    }),
    IsObject({ each: true, message: 'array|must be an array of objects' }),
    ArrayMaxSize(rows, { message: `too_many|must have at most ${rows} items` }),
    ArrayMinSize(1, { message: 'too_few|must have at least 1 item' }),
    IsArray({ message: 'array|must be an array of objects' }),
  );

interface RowRule {
  /** Whether the bytes with which the largest row came say that all fit. */
  readonly isCertain: (largest: number) => boolean;
  readonly fits: (row: unknown) => boolean;
}

/** A rule of each row. To write all of them takes about as long as to parse the body, so the bytes that came are asked first. */
const ofRows = (name: string, message: string, { isCertain, fits }: RowRule): PropertyDecorator =>
  ValidateBy(
    {
      name,
      validator: {
        validate: (value: unknown) => {
          if (!Array.isArray(value)) return fits(value);
          const largest = largestRowOf(value);
          return (largest !== undefined && isCertain(largest) && value.every(isObject)) || value.every(fits);
        },
      },
    },
    { message },
  );
