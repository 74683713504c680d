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
   * Lists people with a face and the number of their files.
   *
   * Sorted by name; people without a name come last. Hidden people are included only with `person_hidden=true`.
   */
  @Get()
  @Policy({ any: ['media:view'] })
  @Returns(PersonPage, 'A page of people.')
  list(@Caller() caller: Principal, @Query() query: ListPeople): Promise<Page<PersonAnswer>> {
    return this.people.list(caller, query);
  }

  /**
   * Creates a person.
   *
   * Assign faces with `PATCH /faces/{id}`; further faces are then recognized automatically.
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
   * A person who was merged into another can still be read; `person_merged_into` refers to the other.
   */
  @Get(':id')
  @HasId('id', 'Id of the person.')
  @Policy({ any: ['media:view'] })
  @ReturnsResource(PersonView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<PersonAnswer> {
    return this.people.get(caller, id);
  }

  /**
   * Changes a person.
   *
   * Only fields in the request are changed. Files that show a person whose consent is refused or has ended can be published or shared
   * only with a reason. No further faces are assigned automatically to a person who refused.
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
   * Their faces become unassigned. With `erase`, which requires `admin:settings`, all recognition data is deleted as well, and a hash
   * is kept so that the same faces are not recognized again.
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
    return erase ? this.erasure.erasePerson(caller, id, precondition) : this.people.remove(id, precondition);
  }

  /**
   * Merges people into one.
   *
   * The name, birth date and consent of this person are kept; missing ones are taken from the others. If two of them have faces in the
   * same file, the face with the higher confidence is kept and the other becomes unassigned. Can be undone for seven days with
   * `undo_id`.
   */
  @Post(':id/merge')
  @HasId('id', 'Id of the person.')
  @Policy({ all: ['media:edit'] })
  @Returns(MergedPeopleView, 'The person, with the data to undo the merge.')
  @Problems('invalid_state')
  merge(@Caller() caller: Principal, @PathId() id: string, @FromBody() { person_ids }: MergePeople): Promise<MergedPeople> {
    return this.merges.mergePeople(caller, id, person_ids);
  }

  /**
   * Splits a person, or undoes a merge.
   *
   * With `face_ids`, those faces become a new person. With `undo_id`, the state before the merge is restored, except for decisions
   * made since. 410 after seven days.
   */
  @Post(':id/split')
  @HasId('id', 'Id of the person.')
  @Policy({ all: ['media:edit'] })
  @Returns(SplitPeopleView, 'The resulting people.')
  @Problems('invalid_state', 'gone')
  async split(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: SplitPerson): Promise<{ people: PersonAnswer[] }> {
    return { people: await this.merges.splitPerson(caller, id, body) };
  }

  /**
   * Lists the files that show a person.
   *
   * Filters and sorting work as in `GET /media-files`.
   */
  @Get(':id/files')
  @HasId('id', 'Id of the person.')
  @Policy({ any: ['media:view'] })
  @Returns(MediaFilePage, 'A page of files.')
  filesOf(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListMediaFiles): Promise<Page<ListedMediaFile>> {
    return this.files.listFiles(caller, id, query);
  }

  /** Lists face suggestions for a person. */
  @Get(':id/suggestions')
  @HasId('id', 'Id of the person.')
  @Policy({ any: ['media:view'] })
  @Returns(FacePage, 'A page of faces.')
  suggested(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListFaces): Promise<Page<FaceAnswer>> {
    return this.suggestions.listSuggestions(caller, id, query);
  }

  /**
   * Accepts or rejects face suggestions for a person.
   *
   * Rejected faces are never suggested for the person again.
   */
  @Post(':id/suggestions')
  @Named('decidePersonSuggestions')
  @HasId('id', 'Id of the person.')
  @Policy({ all: ['media:edit'] })
  @Returns(DecidedSuggestions, 'The outcome.')
  @Problems('invalid_state')
  decide(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: DecideSuggestions): Promise<SuggestionOutcome> {
    return this.suggestions.decideSuggestions(caller, id, body);
  }
}
