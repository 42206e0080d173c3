/** Thrown for a plan that the fast path does not support: the reference path runs all of it. */
export class Unsupported extends Error {}
