import { chains, type KnownFactory } from './chains.ts';
import { eventKinds, isManaged, type KindName } from './event-kinds.ts';
import type { NamedFactory } from './pools.ts';
import { wrongOption } from './wrong-option.ts';

/** A factory, or a manager, whose pools are followed. */
export interface FactoryInput {
  readonly address: string;
  /** What swaps of its pools have as `protocol`. Default: the name that Swapfold knows the factory by, else the kind of the pool and `-fork`, as in `v3-fork`. */
  readonly protocol?: string | undefined;
}

/** A factory or manager as it is given: an address, or a name that Swapfold knows. */
export type GivenFactory = FactoryInput | { readonly name: string };

type Role = 'factories' | 'managers';

const kindsOf: Readonly<Record<Role, readonly KindName[]>> = {
  factories: eventKinds.filter((kind) => !isManaged(kind)).map(({ name }) => name),
  managers: eventKinds.filter(isManaged).map(({ name }) => name),
};

/** The factories and managers that names and addresses mean on a chain. Errors: `invalid-input` for a name that the chain does not have. */
export function factoriesOn(
  chainId: number,
  given: { readonly factories: readonly GivenFactory[]; readonly managers: readonly GivenFactory[] },
): NamedFactory[] {
  const known = chains.find((chain) => chain.id === chainId)?.factories ?? [];
  return (['factories', 'managers'] as const).flatMap((role) =>
    given[role].map((factory, i) => factoryOn({ chainId, known }, factory, { role, path: `${role}.${i}` })),
  );
}

function factoryOn(
  { chainId, known }: { readonly chainId: number; readonly known: readonly KnownFactory[] },
  factory: GivenFactory,
  { role, path }: { readonly role: Role; readonly path: string },
): NamedFactory {
  if ('address' in factory) {
    const found = known.find(({ address }) => address === factory.address);
    const kinds = found === undefined ? kindsOf[role] : [found.kind];
    return { address: factory.address, protocol: factory.protocol ?? found?.protocol, kinds };
  }
  const found = known.find(({ protocol }) => protocol === factory.name);
  if (found !== undefined) return { ...found, kinds: [found.kind] };
  const names = known.map(({ protocol }) => protocol).join(', ') || 'none';
  throw wrongOption(path, `chain ${chainId} has no known factory "${factory.name}"; known are: ${names}`);
}
