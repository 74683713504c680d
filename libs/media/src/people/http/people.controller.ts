import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { FaceErasure } from '../application/face-erasure';
import type { FaceAnswer } from '../application/faces.service';
import { FilesOfPeople } from '../application/files-of-people';
import type { ListedMediaFile } from '../../library/application/media-listing.service';
import { PeopleMerges, type MergedPeople } from '../application/people-merges';
import { PeopleSuggestions, type SuggestionOutcome } from '../application/people-suggestions';
import { PeopleService, type PersonAnswer } from '../application/people.service';
import { FacePage, ListFaces } from './faces.dto';
import { ListMediaFiles, MediaFilePage } from '../../library/http/media-files.dto';
import {
  ChangePerson,
  CreatePerson,
  DecidedSuggestions,
  DecideSuggestions,
  DeletePerson,
  ListPeople,
  MergedPeopleView,
  MergePeople,
  PersonPage,
  PersonView,
  SplitPeopleView,
  SplitPerson,
} from './people.dto';

/** The people on the pictures of the library. */
@ApiTags('People')
@Controller('people')
export class PeopleController {
  constructor(
    private readonly people: PeopleService,
    private readonly erasure: FaceErasure,
    private readonly merges: PeopleMerges,
    private readonly suggestions: PeopleSuggestions,
    private readonly files: FilesOfPeople,
  ) {}

  /**
   * Lists people with a face and how many files show them.
   *
   * By name, those without one last. Hidden people are left out unless `person_hidden=true` asks for them.
   */
  @Get()
  @Policy({ any: ['media:view'] })
  @Returns(PersonPage, 'A page of people.')
  list(@Caller() caller: Principal, @Query() query: ListPeople): Promise<Page<PersonAnswer>> {
    return this.people.list(caller, query);
  }

  /**
   * Adds a person.
   *
   * Faces are given to it with PATCH /faces/{id}; a machine takes further faces for it from there.
   */
  @Post()
  @Policy({ all: ['media:edit'] })
  @Creates(PersonView, 'people/{person_id}')
  create(@Caller() caller: Principal, @FromBody() body: CreatePerson): Promise<PersonAnswer> {
    return this.people.create(caller, body);
  }

  /**
   * Reads one person.
   *
   * One that was merged into another is still read; `person_merged_into` names the other.
   */
  @Get(':id')
  @HasId('id', 'Id of the person.')
  @Policy({ any: ['media:view'] })
  @ReturnsResource(PersonView)
  one(@Caller() caller: Principal, @PathId() id: string): Promise<PersonAnswer> {
    return this.people.one(caller, id);
  }

  /**
   * Changes a person.
   *
   * Only the fields present are applied. Files that show somebody whose consent is refused, or over, can be neither
   * published nor shared without saying why; no further face is taken for somebody who refused.
   */
  @Patch(':id')
  @HasId('id', 'Id of the person.')
  @Policy({ all: ['media:edit'] })
  @HonoursIfMatch()
  @ReturnsResource(PersonView)
  @Problems('invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangePerson,
    @IfMatch() precondition?: Precondition,
  ): Promise<PersonAnswer> {
    return this.people.change(caller, id, body, precondition);
  }

  /**
   * Deletes a person.
   *
   * Their faces belong to nobody then. With `erase` everything the faces are recognised by is deleted, too, and a digest
   * is kept so that the same faces are not taken for somebody again; that needs admin:settings.
   */
  @Delete(':id')
  @HasId('id', 'Id of the person.')
  @Policy({ all: ['media:edit'] })
  @HonoursIfMatch()
  @Deletes()
  @Problems('invalid_state', 'precondition_failed')
  remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() { erase }: DeletePerson,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    return erase ? this.erasure.erase(caller, id, precondition) : this.people.remove(id, precondition);
  }

  /**
   * Merges people into one.
   *
   * Name, day of birth and consent of this one stand; where it has none, those of the others. Where two of them are in one
   * file, the surer face stays and the other belongs to nobody. Can be undone for 7 days with `undo_id`.
   */
  @Post(':id/merge')
  @HasId('id', 'Id of the person.')
  @Policy({ all: ['media:edit'] })
  @Returns(MergedPeopleView, 'The person, and how to undo it.')
  @Problems('invalid_state')
  merge(@Caller() caller: Principal, @PathId() id: string, @FromBody() { person_ids }: MergePeople): Promise<MergedPeople> {
    return this.merges.merge(caller, id, person_ids);
  }

  /**
   * Splits a person, or undoes a merge.
   *
   * With `face_ids` those faces become a new person; with `undo_id` everything is as before the merge, but for what people
   * decided since. 410 when the 7 days are over.
   */
  @Post(':id/split')
  @HasId('id', 'Id of the person.')
  @Policy({ all: ['media:edit'] })
  @Returns(SplitPeopleView, 'The people they are now.')
  @Problems('invalid_state', 'gone')
  async split(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: SplitPerson): Promise<{ people: PersonAnswer[] }> {
    return { people: await this.merges.split(caller, id, body) };
  }

  /**
   * Lists the files that show a person; as GET /media-files.
   */
  @Get(':id/files')
  @HasId('id', 'Id of the person.')
  @Policy({ any: ['media:view'] })
  @Returns(MediaFilePage, 'A page of files.')
  filesOf(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListMediaFiles): Promise<Page<ListedMediaFile>> {
    return this.files.list(caller, id, query);
  }

  /**
   * Lists faces that may be a person.
   */
  @Get(':id/suggestions')
  @HasId('id', 'Id of the person.')
  @Policy({ any: ['media:view'] })
  @Returns(FacePage, 'A page of faces.')
  suggested(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListFaces): Promise<Page<FaceAnswer>> {
    return this.suggestions.list(caller, id, query);
  }

  /**
   * Says which faces are a person and which are not.
   *
   * What is rejected is never suggested for the person again, however often faces are looked for.
   */
  @Post(':id/suggestions')
  @Named('decidePersonSuggestions')
  @HasId('id', 'Id of the person.')
  @Policy({ all: ['media:edit'] })
  @Returns(DecidedSuggestions, 'What came of it.')
  @Problems('invalid_state')
  decide(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: DecideSuggestions): Promise<SuggestionOutcome> {
    return this.suggestions.decide(caller, id, body);
  }
}
