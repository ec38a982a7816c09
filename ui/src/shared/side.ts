/** The two sides of a conflict: someone else, who saved first, and the user. */
export type Side = 'theirs' | 'yours'
