import { Injectable } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { assertCurrent, Database, type Precondition } from '@atrium/platform/database';
import { Clock, invalidFields } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { assertBrand, brandDifference, wholeBrand, type Brand, type BrandFacts } from '../domain/brand';
import { checkBrand, type BrandChecks } from '../domain/brand-checks';
import { WorkspaceRepository } from '../infrastructure/workspace.repository';
import { WorkspaceFiles } from './workspace-files';
import { SETTINGS_AUDIT } from './settings.service';

export interface BrandAnswer {
  readonly ws_brand: Brand;
  readonly ws_brand_version: number;
  readonly brand_checks: BrandChecks;
  /** The ETag of the brand is its own version. */
  readonly row_version: number;
}

/** The base brand of the workspace: always whole, its files present when it was saved, its version raised by each change. */
@Injectable()
export class BrandService {
  constructor(
    private readonly db: Database,
    private readonly workspaces: WorkspaceRepository,
    private readonly files: WorkspaceFiles,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  get(): Promise<BrandAnswer> {
    return this.db.read(async () => {
      const { ws_brand, ws_brand_version } = await this.workspaces.readWorkspace();
      return this.answer(wholeBrand(ws_brand), ws_brand_version);
    });
  }

  replace(facts: BrandFacts, precondition?: Precondition): Promise<BrandAnswer> {
    return this.save(() => facts, precondition);
  }

  /** Replaces the members that are named; null empties one. */
  change(facts: BrandFacts, precondition?: Precondition): Promise<BrandAnswer> {
    const named = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
    return this.save((present) => ({ ...present, ...named }), precondition);
  }

  private save(next: (present: Brand) => BrandFacts, precondition?: Precondition): Promise<BrandAnswer> {
    return this.db.write(async () => {
      const workspace = await this.workspaces.lockOwn();
      assertCurrent(precondition, workspace.ws_brand_version, 'brand');
      const present = wholeBrand(workspace.ws_brand);
      const brand = wholeBrand(next(present));
      assertBrand(brand);
      await this.assertFiles(brand);
      const { before, after } = brandDifference(present, brand);
      if (Object.keys(after).length > 0) {
        workspace.ws_brand = brand;
        workspace.ws_brand_version += 1;
        workspace.ws_updated = this.clock.now();
        this.audit.record({
          type: SETTINGS_AUDIT['brand.updated'],
          target: { type: 'workspace', id: workspace.ws_id, name: workspace.ws_name },
          before,
          after,
        });
        this.outbox.emitEvent({
          name: 'brand.updated',
          subject_id: workspace.ws_id,
          payload: { ws_brand_version: workspace.ws_brand_version, changed: Object.keys(after) },
        });
        await this.workspaces.save(workspace);
      }
      return this.answer(brand, workspace.ws_brand_version);
    });
  }

  /** Fonts and logos must be files of this workspace, of their kind. */
  private async assertFiles({ fonts, logos }: Brand): Promise<void> {
    const fontFiles = fonts.map(({ file_id }) => file_id);
    const known = {
      fonts: await this.files.findExistingFiles(
        fontFiles.filter((id) => id !== null),
        ['font'],
      ),
      logos: await this.files.findExistingFiles(
        logos.map(({ file_id }) => file_id),
        ['image'],
      ),
    };
    const faults = [
      ...missing('fonts', fontFiles, known.fonts, 'must be a font file of this workspace'),
      ...missing(
        'logos',
        logos.map(({ file_id }) => file_id),
        known.logos,
        'must be an image file of this workspace',
      ),
    ];
    if (faults.length > 0) throw invalidFields(faults);
  }

  private async answer(ws_brand: Brand, ws_brand_version: number): Promise<BrandAnswer> {
    const widths = await this.files.findPictureWidths(
      ws_brand.logos.filter(({ min_width_px }) => min_width_px !== null).map(({ file_id }) => file_id),
    );
    return { ws_brand, ws_brand_version, brand_checks: checkBrand(ws_brand, widths), row_version: ws_brand_version };
  }
}

const missing = (list: string, ids: readonly (string | null)[], known: ReadonlySet<string>, message: string) =>
  ids.flatMap((id, at) => (id === null || known.has(id) ? [] : [{ path: `${list}[${at}].file_id`, code: 'reference', message }]));
