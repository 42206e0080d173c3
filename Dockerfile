# npm run build && npm pack && docker build --tag catalogue-etl .
FROM node:22-slim
WORKDIR /app
COPY catalogue-etl-*.tgz ./
RUN npm install --no-audit --no-fund ./catalogue-etl-*.tgz @duckdb/node-api@latest @aws-sdk/client-s3@3 mysql2@3 jiti@2 && npm cache clean --force
RUN mkdir -p /data && chown node:node /data
ENV PATH=/app/node_modules/.bin:$PATH
WORKDIR /data
USER node
ENTRYPOINT ["catalogue-etl"]
