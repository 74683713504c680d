import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileLifecycle, FileReferences, type File } from '@atrium/files';
import { sql } from '@atrium/platform/database';
import { PeopleOfFilesRepository, type MovedFace } from '../infrastructure/people-of-files.repository';
import { withheldCondition } from '../infrastructure/people.repository';
import { recordOfRows, rowsOf } from '../../duplicates/application/carriers-of-files';
import { CONSENT_ISSUE, ConsentSources } from '../../statuses/application/consent-sources';
import { DuplicateCarriers } from '../../duplicates/application/duplicate-carriers';
import { ConsentWithdrawal } from './consent-withdrawal';
import { FaceUpkeep } from './face-upkeep';
import { MediaFacts } from '../../library/application/media-facts';

/** What the rest of the library learns of people: who is on a file, whether they agreed, and what becomes of faces when files go or are merged. */
@Injectable()
export class PeopleOfFiles implements OnModuleInit {
  constructor(
    private readonly people: PeopleOfFilesRepository,
    private readonly lifecycle: FileLifecycle,
    private readonly references: FileReferences,
    private readonly consents: ConsentSources,
    private readonly carriers: DuplicateCarriers,
    private readonly facts: MediaFacts,
    private readonly upkeep: FaceUpkeep,
    private readonly withdrawal: ConsentWithdrawal,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({
      onTrashed: (files) => this.people.setHidden(idsOf(files), true),
      onRestored: async (files) => {
        await this.people.setHidden(idsOf(files), false);
        this.upkeep.queueSorting('faces');
      },
      onMoved: async (files, from) => {
        if (from.type === 'media') this.upkeep.queueCropRemoval(await this.people.deleteFacesOf(idsOf(files)));
      },
      onPurged: async (ids) => this.upkeep.queueCropRemoval(await this.people.deleteFacesOf(ids)),
    });
    this.references.register({
      referencesTo: async (caller, file) => {
        const covers = await this.people.findCovers(file);
        if (!caller.permissions.has('media:view')) return { data: [], hidden: covers.length };
        return {
          data: covers.map(({ person_id, person_name }) => ({
            ref_type: 'person',
            ref_id: person_id,
            ref_name: person_name ?? 'Unnamed person',
            ref_detail: 'cover',
            ref_blocking: false,
          })),
          hidden: 0,
        };
      },
    });
    this.consents.register({
      findIssues: async (ids, at) => new Map((await this.people.filterWithoutConsent(ids, at)).map((id) => [id, CONSENT_ISSUE])),
      ending: { source: 'people', findNext: (after, until, most) => this.people.findEndedConsent(after, until, most) },
      issueCondition: () =>
        sql`EXISTS (SELECT FROM face cf JOIN person cp ON cp.tenant_id = cf.tenant_id AND cp.person_id = cf.face_person WHERE cf.tenant_id = r.tenant_id AND cf.face_file = r.file_id AND ${withheldCondition(sql`cp`)})`,
    });
    this.carriers.register({
      carries: 'people',
      carryOver: async (files) => {
        const moved = await this.people.carryFaces(files);
        await this.withdrawal.withdrawOfFaces(moved.map(({ face_id }) => face_id));
        return recordOfRows(moved);
      },
      undoCarry: async (record) => this.upkeep.queueCropRemoval(await this.people.takeBack(rowsOf<MovedFace>(record))),
    });
    this.facts.register('people', (_, { file_id }) => this.people.onFile(file_id));
  }
}

const idsOf = (files: readonly File[]): string[] => files.map(({ file_id }) => file_id);
