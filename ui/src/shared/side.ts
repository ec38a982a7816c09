/** A side of a conflict: someone else, who saved first, or the user. */
export type Side = 'theirs' | 'yours'
