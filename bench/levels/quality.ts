/** The retrieval quality of a level on a set of queries, each figure from 0 to 1. */
export interface Quality {
  readonly queries: number;
  readonly ndcg10: number;
  readonly map: number;
  readonly mrr: number;
  readonly recall10: number;
  readonly recall100: number;
  readonly success1: number;
  readonly success10: number;
}

/** A query with the positions of the objects that answer it. */
export interface Judged {
  readonly text: string;
  readonly relevant: ReadonlySet<number>;
}

/** Means of the quality of the rankings over the queries. */
export function qualityOf(rankings: readonly (readonly number[])[], judged: readonly Judged[]): Quality {
  const sum = { ndcg10: 0, map: 0, mrr: 0, recall10: 0, recall100: 0, success1: 0, success10: 0 };
  judged.forEach(({ relevant }, index) => {
    const ranking = rankings[index] ?? [];
    let [found, precisions, gain, first, in10, in100] = [0, 0, 0, -1, 0, 0];
    ranking.forEach((place, rank) => {
      if (!relevant.has(place)) return;
      found++;
      precisions += found / (rank + 1);
      if (first < 0) first = rank;
      if (rank < 10) {
        gain += 1 / Math.log2(rank + 2);
        in10++;
      }
      if (rank < 100) in100++;
    });
    let ideal = 0;
    for (let rank = 0; rank < Math.min(10, relevant.size); rank++) ideal += 1 / Math.log2(rank + 2);
    sum.ndcg10 += gain / ideal;
    sum.map += precisions / relevant.size;
    sum.mrr += first < 0 ? 0 : 1 / (first + 1);
    sum.recall10 += in10 / relevant.size;
    sum.recall100 += in100 / relevant.size;
    sum.success1 += first === 0 ? 1 : 0;
    sum.success10 += in10 > 0 ? 1 : 0;
  });
  const mean = (value: number) => value / Math.max(1, judged.length);
  return {
    queries: judged.length,
    ndcg10: mean(sum.ndcg10),
    map: mean(sum.map),
    mrr: mean(sum.mrr),
    recall10: mean(sum.recall10),
    recall100: mean(sum.recall100),
    success1: mean(sum.success1),
    success10: mean(sum.success10),
  };
}
