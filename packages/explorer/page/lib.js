// @ts-check
/** @import { Html } from '../types/page.ts' */
import htm from './vendor/htm.js';
import { h } from './vendor/preact.js';

/**
 * Elements from templates. What is put in as a child is text, whatever characters it has.
 * @type {Html}
 */
export const html = htm.bind(h);
export { useCallback, useEffect, useErrorBoundary, useMemo, useRef, useState } from './vendor/hooks.js';
export { render } from './vendor/preact.js';
