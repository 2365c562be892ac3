import type { Ref, State } from '../../types/page.ts';

/** Hooks of the library that draws. Those without a first value are of the type that is written beside them. */
export function useCallback<Call>(call: Call, of: readonly unknown[]): Call;
export function useEffect(effect: () => unknown, of: readonly unknown[]): void;
export function useErrorBoundary(): readonly [error: Error | undefined, reset: () => void];
export function useMemo<Value>(make: () => Value, of: readonly unknown[]): Value;
export function useRef<Value>(): Ref<Value>;
export function useRef<Value>(first: Value): Ref<Value>;
export function useState<Value>(): State<Value>;
export function useState<Value>(first: Value | (() => Value)): State<Value>;
