import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { defineJob, defineSubscriber, type EventDelivery, type JobDefinition } from './job-definition';
import { Handles } from './job-handling';
import { NoPayload } from './job-payload';
import { JobRegistry, JobsModule } from './job-registry';

const bake = defineJob('bakery.bake', { payload: NoPayload });
const sell = defineJob('bakery.sell', { payload: NoPayload });
const greet = defineSubscriber('bakery.greet', {
  events: ['guest.*', 'door.opened'],
  wants: (event, { alone = true }) => event !== 'door.opened' || alone === true,
});

@Injectable()
class Baker {
  @Handles(bake)
  async bake(): Promise<void> {}
}

@Injectable()
class SecondBaker {
  @Handles(bake)
  async bakeToo(): Promise<void> {}
}

@Injectable()
class Seller {
  @Handles(sell)
  async sell(): Promise<void> {}

  @Handles(greet)
  async greet(_event: EventDelivery): Promise<void> {}
}

async function registryOf(definitions: readonly JobDefinition<object>[][], providers: readonly Type[]): Promise<JobRegistry> {
  const app = await Test.createTestingModule({
    imports: [DiscoveryModule, ...definitions.map((set) => JobsModule.define(set))],
    providers: [JobRegistry, ...providers],
  }).compile();
  return app.get(JobRegistry);
}

describe('The jobs of a worker', () => {
  it('are collected from all contexts, each with its handler', async () => {
    const registry = await registryOf([[bake], [sell, greet]], [Baker, Seller]);
    registry.collectHandlers();
    expect([...registry.names].sort()).toEqual(['bakery.bake', 'bakery.greet', 'bakery.sell']);
  });

  it('keep the worker from starting when one has no handler', async () => {
    const registry = await registryOf([[bake, sell]], [Baker]);
    expect(() => registry.collectHandlers()).toThrow('bakery.sell has no handler.');
  });

  it('keep the worker from starting when one has two handlers', async () => {
    const registry = await registryOf([[bake]], [Baker, SecondBaker]);
    expect(() => registry.collectHandlers()).toThrow('bakery.bake has 2 handlers: Baker.bake, SecondBaker.bakeToo.');
  });

  it('keep the worker from starting when a handler belongs to no definition of it, or a name is defined twice', async () => {
    await expect(registryOf([[]], [Baker]).then((registry) => registry.collectHandlers())).rejects.toThrow(
      'is in no JobsModule.define([…])',
    );
    const twin = defineJob('bakery.bake', { payload: NoPayload });
    await expect(registryOf([[bake], [twin]], [Baker]).then((registry) => registry.collectHandlers())).rejects.toThrow(
      'bakery.bake is defined twice.',
    );
  });

  it('include the subscribers of an event, by name or by subject, that want it', async () => {
    const registry = await registryOf([[bake, sell, greet]], [Baker, Seller]);
    registry.collectHandlers();
    const wanted = ['guest.came', 'door.opened', 'door.closed', 'guests.came'].map((event) => registry.listSubscribers(event, {}).length);
    expect(wanted).toEqual([1, 1, 0, 0]);
    expect(registry.listSubscribers('door.opened', { alone: false })).toEqual([]);
  });

  it('are named after their context and concern', () => {
    expect(() => defineJob('Baking Bread', { payload: NoPayload })).toThrow('<context>.<concern>');
  });
});
