import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AclSubjects } from '@atrium/identity';
import { SpacesRepository } from './spaces.repository';

/** Says which spaces access lists may name: those of the workspace that are not deleted. */
@Injectable()
export class KnownSpaces implements OnModuleInit {
  constructor(
    private readonly spaces: SpacesRepository,
    private readonly subjects: AclSubjects,
  ) {}

  onModuleInit(): void {
    this.subjects.registerSpaces((ids) => this.spaces.filterActiveSpaces(ids));
  }
}
