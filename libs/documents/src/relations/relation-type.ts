import { Flag, Id, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import { alreadyExists, invalidField, Problem, type Clock } from '@atrium/platform/kernel';

export const MOST_TYPES = 500;

/** What people say of a kind of links. */
export interface RelationTypeFacts {
  readonly rt_name: string;
  readonly rt_inverse_name?: string | null;
  readonly rt_symmetric?: boolean;
  readonly rt_description?: string | null;
}

/** A kind of links between documents. A symmetric one reads the same from both ends and has no inverse name. */
@Resource({ table: 'document_relation_type', sort: '-rt_created' })
export class RelationType extends TenantRow {
  @Id({ about: 'Id of the type.' }) readonly rt_id!: string;
  @Flag({ about: 'Whether the type can be used.' }) rt_active!: boolean;
  @Stamp({ about: 'When the type was created.', sort: true }) rt_created!: Date;
  @Stamp({ about: 'When the type was last changed.' }) rt_updated!: Date;
  @Text({
    min: 1,
    max: 80,
    about: 'Label of the link as seen from its source; unique in the workspace, in any case.',
    example: 'supersedes',
    filter: 'contains',
  })
  rt_name!: string;
  @Text({
    optional: true,
    min: 1,
    max: 80,
    about: 'Label of the link as seen from its target; when omitted, the same as the name.',
    example: 'is superseded by',
  })
  rt_inverse_name!: string | null;
  @Flag({ about: 'Whether the link reads the same in both directions. Symmetric types have no inverse name.' }) rt_symmetric!: boolean;
  @Text({ optional: true, max: 300, about: 'When to use the type.' }) rt_description!: string | null;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<RelationType, 'rt_id'>, now: Date): RelationType {
    return Object.assign(new RelationType(), { rt_active: true, rt_created: now, ...facts });
  }

  /** The whole definition is another one; what is left out is not there. */
  define({ rt_name, rt_inverse_name = null, rt_symmetric = false, rt_description = null }: RelationTypeFacts, clock: Clock): void {
    if (rt_symmetric && rt_inverse_name !== null)
      throw invalidField(
        'rt_inverse_name',
        'must be omitted for a symmetric type, which reads the same in both directions',
        'unknown_field',
      );
    this.rt_name = rt_name;
    this.rt_inverse_name = rt_inverse_name;
    this.rt_symmetric = rt_symmetric;
    this.rt_description = rt_description;
    this.rt_updated = clock.now();
  }
}

/** What makes a link the same as another one of its type. */
export const relationKey = (symmetric: boolean, from: string, to: string): string => (symmetric ? [from, to].sort() : [from, to]).join(':');

export const typeNameTaken = (name: string): Problem =>
  alreadyExists('rt_name', `A relation type named ${name} already exists. Choose another name.`);

export const tooManyTypes = (): Problem => new Problem('limit_reached', `A workspace can have at most ${MOST_TYPES} relation types.`);
