import { carryField, fieldOf, fieldsOf } from '@atrium/platform/database';
import { ApiExtraModels, ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { acceptField, answerSchemaOf, isRequired } from './field-rules';
import { markPage } from './safe-headers';

type Class<T> = abstract new (...args: never[]) => T;
type Plain<T> = new () => T;

/**
 * A request body made of fields that a resource declares: `class CreateAlbum extends Body(Album, {required: ['album_name']})`.
 * `with` brings fields that the body has in a form of its own. Anything else in the request is rejected.
 */
export function Body<T extends object, R extends keyof T & string = never, O extends keyof T & string = never, W extends object = object>(
  resource: Class<T>,
  shape: { readonly required?: readonly R[]; readonly optional?: readonly O[]; readonly with?: Plain<W> },
): Plain<Pick<T, R> & Partial<Pick<T, O>> & W> {
  class ResourceBody {}
  for (const name of shape.required ?? []) acceptField(ResourceBody, fieldOf(resource, name), true);
  for (const name of shape.optional ?? []) acceptField(ResourceBody, fieldOf(resource, name), false);
  for (const field of shape.with ? fieldsOf(shape.with).values() : []) acceptField(ResourceBody, field, isRequired(field));
  return ResourceBody as Plain<Pick<T, R> & Partial<Pick<T, O>> & W>;
}

/** Makes a class of declared fields usable as a body or a part of one: every field is required unless it is `optional` or `omittable`. */
export const Accepts = (): ClassDecorator => (target) => {
  for (const field of fieldsOf(target).values()) acceptField(target, field, isRequired(field));
};

/** What a client sees of a resource: all its declared fields but the internal ones and those left out. Further fields are declared in the subclass. */
export function View<T extends object, H extends keyof T & string = never>(
  resource: Class<T>,
  { without = [] }: { readonly without?: readonly H[] } = {},
): Plain<Omit<T, H>> {
  class ResourceView {}
  const hidden: readonly string[] = without;
  for (const field of fieldsOf(resource).values()) if (!field.internal && !hidden.includes(field.name)) carryField(ResourceView, field);
  return ResourceView as Plain<Omit<T, H>>;
}

/** Describes the declared fields of an answer in the OpenAPI document. */
export const Answer = (): ClassDecorator => (target) => {
  for (const field of fieldsOf(target).values()) {
    if (field.ofKinds) ApiExtraModels(...field.ofKinds())(target);
    ApiProperty({ ...answerSchemaOf(field), required: !field.omittable } as ApiPropertyOptions)(target.prototype as object, field.name);
  }
};

/** The list envelope over a view. */
export function PageOf<T extends object>(view: Plain<T>): Plain<{ data: T[]; has_more: boolean; next_cursor: string | null }> {
  class ResourcePage {
    data!: T[];
    has_more!: boolean;
    next_cursor!: string | null;
  }
  markPage(ResourcePage, view);
  ApiProperty({ type: () => view, isArray: true, description: 'Rows of the current page.' })(ResourcePage.prototype, 'data');
  ApiProperty({ type: 'boolean', description: 'Whether there are more rows after this page.' })(ResourcePage.prototype, 'has_more');
  ApiProperty({ type: 'string', nullable: true, description: 'Pass as `cursor` for the next page. Null on the last page.' })(
    ResourcePage.prototype,
    'next_cursor',
  );
  return ResourcePage;
}
