// @ts-check
import { useEffect, useState } from './lib.js';

const defaults = { theme: 'system', zone: 'UTC', reload: 'live', alerts: 'on' };
const NAME = 'swapfold-settings';
/** @type {Set<() => void>} */
const listeners = new Set();

/** @typedef {typeof defaults} Settings */

/** @type {Settings} */
export const settings = { ...defaults, ...stored() };

/** @returns {Partial<Settings>} */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? '{}');
  } catch {
    return {};
  }
}

/**
 * @param {keyof Settings} name
 * @param {string} value
 */
export function set(name, value) {
  settings[name] = value;
  localStorage.setItem(NAME, JSON.stringify(settings));
  applyTheme();
  for (const listener of listeners) listener();
}

/** What the system asks for; none outside of a browser. */
const system = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

/** Draws again whatever shows a setting. */
export function useSettings() {
  const [, draw] = useState(0);
  useEffect(() => {
    const listener = () => draw((/** @type {number} */ n) => n + 1);
    listeners.add(listener);
    system?.addEventListener('change', listener);
    return () => {
      listeners.delete(listener);
      system?.removeEventListener('change', listener);
    };
  }, []);
  return settings;
}

export function applyTheme() {
  if (settings.theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
}

export function isDark() {
  return settings.theme === 'system' ? system?.matches === true : settings.theme === 'dark';
}
