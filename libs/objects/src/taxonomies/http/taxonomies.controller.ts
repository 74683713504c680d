import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Policy } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { TaxonomiesService, type TaxonomyRow, type VersionedTaxonomyRow } from '../application/taxonomies.service';
import { ChangeTaxonomy, CreateTaxonomy, ListTaxonomies, TaxonomyPage, TaxonomyView } from './taxonomies.dto';

const LICENSE = 'module-objects';

/** Vocabularies that classify objects. */
@ApiTags('Object taxonomies')
@Controller('object-taxonomies')
export class TaxonomiesController {
  constructor(private readonly taxonomies: TaxonomiesService) {}

  /**
   * Lists taxonomies with their term counts.
   *
   * The newest come first. Inactive taxonomies are listed only with `tax_active=false`.
   */
  @Get()
  @Policy({ any: ['object:view'], license: LICENSE })
  @Returns(TaxonomyPage, 'A page of taxonomies.')
  list(@Query() query: ListTaxonomies): Promise<Page<TaxonomyRow>> {
    return this.taxonomies.list(query);
  }

  /**
   * Creates a taxonomy without terms.
   *
   * A workspace can have at most 1,000 active taxonomies. Fields of the type `taxonomy` refer to a taxonomy; its
   * terms can also be assigned to objects in `obj_terms`.
   */
  @Post()
  @Policy({ all: ['object:taxonomy:edit'], license: LICENSE })
  @Creates(TaxonomyView, 'object-taxonomies/{tax_id}')
  @Problems('already_exists', 'limit_reached')
  create(@FromBody() body: CreateTaxonomy): Promise<VersionedTaxonomyRow> {
    return this.taxonomies.create(body);
  }

  /** Reads a taxonomy. */
  @Get(':id')
  @HasId('id', 'Id of the taxonomy.')
  @Policy({ any: ['object:view'], license: LICENSE })
  @ReturnsResource(TaxonomyView)
  get(@PathId() id: string): Promise<VersionedTaxonomyRow> {
    return this.taxonomies.get(id);
  }

  /**
   * Changes a taxonomy.
   *
   * Omitted fields stay as they are; `tax_active: true` restores a deleted taxonomy, which cannot be changed otherwise
   * (409). Fails with 409 `in_use` if it is made flat while terms are below others, or deactivated while fields of
   * active schemas use its terms.
   */
  @Patch(':id')
  @HasId('id', 'Id of the taxonomy.')
  @Policy({ all: ['object:taxonomy:edit'], license: LICENSE })
  @HonoursIfMatch()
  @ReturnsResource(TaxonomyView)
  @Problems('already_exists', 'in_use', 'invalid_state', 'limit_reached', 'precondition_failed')
  change(@PathId() id: string, @FromBody() body: ChangeTaxonomy, @IfMatch() precondition?: Precondition): Promise<VersionedTaxonomyRow> {
    return this.taxonomies.change(id, body, precondition);
  }

  /**
   * Deactivates a taxonomy.
   *
   * It is returned with `tax_active` false from then on. Objects keep their terms. Fails with 409 `in_use`, listing the schemas, while fields of active schemas use its
   * terms.
   */
  @Delete(':id')
  @HasId('id', 'Id of the taxonomy.')
  @Policy({ all: ['object:taxonomy:edit'], license: LICENSE })
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('in_use', 'invalid_state', 'precondition_failed')
  async remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    await this.taxonomies.deactivate(id, precondition);
  }
}
