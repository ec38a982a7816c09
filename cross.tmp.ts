import { readFileSync } from 'node:fs'
import { linksOf } from '/tmp/wt/stats/ui/src/measures/links.ts'
import { measures } from '/tmp/wt/stats/ui/src/measures/measures.ts'
import { networkOf } from '/tmp/wt/stats/picture/model/network.ts'
import { statistics } from '/tmp/wt/stats/ui/src/statistics/statistics.ts'
for (const k of JSON.parse(readFileSync('/tmp/cross.json','utf8'))) {
  const links = linksOf(networkOf({directed:k.directed,nodes:Array.from({length:k.n},(_,i)=>({id:`${i}`})),edges:k.edges.map(([s,t,w])=>({source:`${s}`,target:`${t}`,metadata:{weight:w}}))}))
  const t0=performance.now(); const s=statistics(links,{groups:new Uint32Array(k.n)},()=>{}); const t1=performance.now()
  const d=(a,b)=>Math.max(...b.map((x,i)=>Math.abs(x-a[i])))
  let m={}
  for(const [n,key] of [['hub','hub'],['authority','auth'],['eigenvector','eig']]) try { if(k[key]) m[n]=d(measures[n](links,()=>{}),k[key]) } catch(e){m[n]=e.message}
  console.log(k.name, Math.round(t1-t0)+'ms', s.density-k.density, s.transitivity-k.transitivity, s.assortativity-k.assortativity, s.distances.diameter-k.diameter, s.distances.mean-k.mean, k.reciprocity===null?'':s.reciprocity-k.reciprocity, m)
}
