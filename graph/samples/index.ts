/** Well-known networks, loaded on demand. NetworkX includes the same data. */
export const samples = {
  lesMiserables: () => import('./les-miserables.json', { with: { type: 'json' } }),
  karateClub: () => import('./karate-club.json', { with: { type: 'json' } }),
  florentineFamilies: () => import('./florentine-families.json', { with: { type: 'json' } })
}
